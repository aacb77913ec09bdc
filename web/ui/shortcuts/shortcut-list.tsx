import { ShortcutHint, shortcutWords } from './shortcut-hint.tsx'

type ShortcutListProps = {
  /** What each does, with all the keys that do it. */
  readonly lines: readonly { readonly keys: readonly string[]; readonly does: string }[]
  readonly className?: string
}

/** Shortcuts one below the other: seen as keys, heard as words. */
export const ShortcutList = ({ lines, className }: ShortcutListProps) => (
  <dl className={className}>
    {lines.map(({ keys, does }) => (
      <div key={`${does} ${keys.join()}`}>
        <dt>{does}</dt>
        <dd>
          {keys.map((one) => (
            <span key={one}>
              <span className="visually-hidden">{shortcutWords(one)}</span>
              <ShortcutHint keys={one} />
            </span>
          ))}
        </dd>
      </div>
    ))}
  </dl>
)
