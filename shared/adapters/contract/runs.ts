/** How many inputs at random a contract tries on its database, of the most that it tries anywhere. */
export type Runs = (most: number) => number;
