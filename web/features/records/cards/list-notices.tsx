import type { RecordLines } from '../use-record-lines.ts'

/** What a list says about itself below its rows. */
export function ListNotices({ lines }: { readonly lines: RecordLines }) {
  const { isStale, retry } = lines
  if (!isStale) return null
  return (
    <div role="alert" className="grid-failure">
      What you see may be out of date: it could not be read again.
      <button type="button" className="grid-text-button" onClick={retry}>
        Try again
      </button>
    </div>
  )
}
