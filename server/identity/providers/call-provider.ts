import { fail, ok, type Result } from '#domain/shared/result.ts'

/** Waits for a provider, or for the network on the way to it; whatever fails there fails by throwing. */
export const callProvider = <Answer>(asked: Promise<Answer>): Promise<Result<Answer, Error>> =>
  asked.then(
    (answer) => ok(answer),
    (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))),
  )
