/** The elements that the compactions of a step write: each runtime those of its items, to the start of its own part. */
import type { DeviceArray } from "@groupwise/runtime/api/device-array.js";
import type { Runtime } from "@groupwise/runtime/api/runtime.js";
import { bad } from "@groupwise/runtime/run/bindings.js";
import type { OwnSplit, SplitHome } from "./split-array.ts";
import type { Team } from "./team.ts";

const TOO_SHORT =
  "make the array as long as the range, whose parts have room for all items, or give the runtime a smaller share";

/** The place for the elements of a piece. */
interface Place {
  /** The elements of the part that earlier pieces wrote. */
  readonly at: number;
  /** Undefined if the piece needs an array of its own, whose elements are appended: the slice of a step cannot begin or end there. */
  readonly slice: DeviceArray | undefined;
}

export class SplitElements {
  private readonly home: SplitHome;
  private readonly team: Team;
  private readonly arrays: ReadonlyMap<string, OwnSplit>;
  /** By compaction: the elements that each part has. */
  private readonly counts: ReadonlyMap<string, number[]>;

  constructor(home: SplitHome, team: Team, arrays: ReadonlyMap<string, OwnSplit>) {
    this.home = home;
    this.team = team;
    this.arrays = arrays;
    this.counts = new Map(team.compactions.map((name) => [name, home.runtimes.map(() => 0)]));
  }

  /** Reads of the arrays of a step that fails are errors. */
  end(): void {
    for (const [name, counts] of this.counts) this.arrays.get(name)?.hold(counts);
  }

  /** The place for a piece. @param items of the piece; it has at most as many elements. @returns undefined for other arrays */
  placeOf(name: string, by: number, items: number): Place | undefined {
    const counts = this.counts.get(name);
    if (!counts) return undefined;
    const at = counts[by] as number;
    const part = this.partOf(name, by);
    const { sliceAlignment } = this.home.runtimes[by] as Runtime;
    const isFree = at % sliceAlignment === 0 && at + items <= part.length;
    return { at, slice: isFree ? part.slice(at, at + items) : undefined };
  }

  /**
   * Counts the elements of a piece.
   * @param more the array of its own, if the place had no slice
   * @throws GroupwiseError `bad-buffer` if the part is too short
   */
  async add(name: string, by: number, count: number, more: DeviceArray | undefined): Promise<void> {
    const counts = this.counts.get(name) as number[];
    const at = counts[by] as number;
    const array = this.partOf(name, by);
    if (at + count > array.length) {
      const { manifest } = this.team;
      const reason = `its part on runtime ${by} has ${array.length} elements, but the items of the part write ${at + count} or more`;
      throw bad(manifest, name, reason, TOO_SHORT);
    }
    if (more && count > 0) await this.home.appenders[by]?.append({ array, at, more, count });
    counts[by] = at + count;
  }

  private partOf(name: string, by: number): DeviceArray {
    return this.arrays.get(name)?.parts[by] as DeviceArray;
  }
}
