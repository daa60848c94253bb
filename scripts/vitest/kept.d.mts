/** Sets the variables that name the caches, unless they are set. */
export declare function keepBetweenRuns(env?: Record<string, string | undefined>): void;
