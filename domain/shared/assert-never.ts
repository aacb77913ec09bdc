/** Stands where the compiler has proven that nothing is left; throws if data from outside got there all the same. */
export function unreachable(value: never): never {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`)
}
