export async function withTimeout<Value>(promise: Promise<Value>, withinMs: number): Promise<Value | undefined> {
  const tooLate = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => tooLate.resolve(undefined), withinMs)
  try {
    return await Promise.race([promise, tooLate.promise])
  } finally {
    clearTimeout(timer)
    promise.then(undefined, () => undefined)
  }
}
