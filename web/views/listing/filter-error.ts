import { toCallError } from '#web/data/api/call-error.ts'

/** What the server has against a filter, and at which character. */
export type FilterError = { readonly message: string; readonly position: number | undefined }

/** Why a list could not be read, if it was for its filter. */
export function filterError(error: unknown): FilterError | undefined {
  const failure = toCallError(error)
  if (failure?.code !== 'invalid-filter') return undefined
  const position = failure.extra['position']
  return { message: failure.detail, position: typeof position === 'number' ? position : undefined }
}
