/** Sets the variables that name what is kept between runs, where they are not set. */
export declare function keepBetweenRuns(env?: Record<string, string | undefined>): void;
