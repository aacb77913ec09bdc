import { CopyButton } from '#web/ui/controls/copy-button.tsx'

/** A text to take along. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="api-code">
      {/* Longer than its room: the keyboard must be able to move it. */}
      <pre tabIndex={0} dir="ltr" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} size="xs" />
    </div>
  )
}
