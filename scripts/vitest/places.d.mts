/** Folders of packages whose tests are a task of their own, and folders of the tests of all others. */
export declare function placesOfTests(): {
  readonly own: readonly string[];
  readonly others: readonly string[];
};
