import { toCallError } from '#web/data/api/call-error.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'

/** Lists the saved examples that would no longer hold. */
export function SaveFailure({ error }: { readonly error: unknown }) {
  const said = toCallError(error)?.errors ?? []
  return (
    <>
      <FailureNotice error={error} />
      {said.length > 1 && (
        <ul className="grant-broken">
          {said.map(({ path, message }) => (
            <li key={path}>{message}</li>
          ))}
        </ul>
      )}
    </>
  )
}
