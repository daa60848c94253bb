// Which symbols of the reference have a page: classes, functions, and interfaces in a group, which are those of values.
// The other types are on the page of the module that uses them. Every function needs an example, which the tests run.
import { ReflectionKind } from "typedoc";
import { MemberRouter } from "typedoc-plugin-markdown";

class Router extends MemberRouter {
  buildChildPages(reflection, pages) {
    const hasPage =
      reflection.kind === ReflectionKind.Interface && reflection.comment?.getTag("@group") !== undefined;
    const isShown = reflection.signatures?.some(({ comment }) => comment?.getTag("@example"));
    if (reflection.kind === ReflectionKind.Function && !isShown)
      this.application.logger.error(`${reflection.getFriendlyFullName()} has no example`);
    this.membersWithOwnFile = hasPage ? ["Interface"] : ["Class", "Function"];
    super.buildChildPages(reflection, pages);
  }
}

export function load(app) {
  app.renderer.defineRouter("groupwise", Router);
}
