import { Highlighted } from '#web/field-kinds/value-highlights.tsx'
import '../field-kinds.css'

/** First letters of the first and last name. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const [first = ''] = words
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last]
    .map((word) => [...word][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

export function PersonChip({ name, entry = 0 }: { readonly name: string; readonly entry?: number }) {
  return (
    <span className="person-chip">
      <span className="person-initials" aria-hidden>
        {initialsOf(name)}
      </span>
      <span className="person-name">
        <Highlighted text={name} entry={entry} />
      </span>
    </span>
  )
}
