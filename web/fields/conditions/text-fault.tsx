import './conditions.css'

type TextFaultProps = { readonly text: string; readonly message: string; readonly position?: number | undefined }

/** As much of the text before a mistake as one needs to find it. */
const SHOWN_BEFORE = 30
const SHOWN_AFTER = 20

/** What is wrong in the text of a filter, and the place where it is. */
export function TextFault({ text, message, position }: TextFaultProps) {
  if (position === undefined) return message
  const before = text.slice(Math.max(0, position - SHOWN_BEFORE), position)
  const after = text.slice(position, position + SHOWN_AFTER)
  return (
    <>
      {message}
      <code className="filter-place">
        {position > SHOWN_BEFORE && '…'}
        {before}
        <mark>{after === '' ? '\u00a0' : after}</mark>
      </code>
    </>
  )
}
