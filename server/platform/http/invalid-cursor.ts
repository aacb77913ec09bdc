import { Problem } from '#domain/shared/problem.ts'

/** `parameter`: the name of the query parameter. */
export const invalidCursor = (parameter: string): Problem =>
  new Problem('invalid-cursor', 'Invalid cursor. Start again without it.', {
    errors: [{ path: parameter, code: 'invalid-cursor', message: 'Invalid cursor.' }],
  })
