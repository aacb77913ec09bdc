import { CopyButton } from '#web/ui/controls/copy-button.tsx'

export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="api-code">
      {/* Focusable, so that it can be scrolled with the keyboard. */}
      <pre tabIndex={0} dir="ltr" aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} size="xs" />
    </div>
  )
}
