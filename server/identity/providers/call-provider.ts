import { fail, ok, type Result } from '#domain/shared/result.ts'

export const callProvider = <Answer>(asked: Promise<Answer>): Promise<Result<Answer, Error>> =>
  asked.then(
    (answer) => ok(answer),
    (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))),
  )
