import { type ReactNode, useEffect, useRef } from 'react'
import { UNTITLED } from '#web/shared/fields/record-title.ts'
import { CollectionIcon } from '#web/shared/collection-icon/collection-icon.tsx'
import { IconArrowRight } from '#web/ui/icons/later.ts'
import { type OptionPosition, optionPosition } from '#web/ui/dropdown/option-list.ts'
import { HighlightedText, type TextRange } from '#web/ui/text/highlighted-text.tsx'
import { ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import { t } from '#web/i18n/t.ts'
import { hrefOf, type PaletteRow, type PaletteSection } from './result-rows.ts'
import type { PaletteItem } from './rank-items.ts'

type PaletteListProps = {
  readonly id: string
  readonly sections: readonly PaletteSection[]
  readonly chosen: string | undefined
  /** Opens the row, in a new tab if `inNewTab` is set. */
  readonly onTake: (line: PaletteRow, inNewTab: boolean) => void
}

/** Focus stays in the search field. */
export function PaletteList({ id, sections, chosen, onTake }: PaletteListProps) {
  const lines = sections.flatMap((section) => section.lines)
  return (
    <div id={id} role="listbox" aria-label={t('Results')} className="found-list" hidden={sections.length === 0}>
      {sections.map((section) => (
        <div key={section.id} role="group" aria-labelledby={`found-in-${section.id}`} className="found-section">
          <div id={`found-in-${section.id}`} className="found-section-name" dir="auto">
            {section.label}
          </div>
          {section.lines.map((line) => (
            <Line
              key={line.id}
              line={line}
              position={optionPosition(lines.indexOf(line), lines.length)}
              isChosen={line.id === chosen}
              onTake={onTake}
            >
              <LineWords line={line} label={section.label} />
            </Line>
          ))}
        </div>
      ))}
    </div>
  )
}

type LineProps = Pick<PaletteListProps, 'onTake'> & {
  readonly line: PaletteRow
  readonly position: OptionPosition
  readonly isChosen: boolean
  readonly children: ReactNode
}

function Line({ line, position, isChosen, onTake, children }: LineProps) {
  const own = useRef<HTMLAnchorElement & HTMLDivElement>(null)
  useEffect(() => {
    if (isChosen) own.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const href = hrefOf(line)
  const shared = {
    ref: own,
    id: line.id,
    role: 'option',
    ...position,
    'aria-selected': isChosen,
    tabIndex: -1,
    className: `found-line${line.kind === 'item' ? ' palette-item' : ''}`,
  }
  // Only links can be opened in a new tab or copied.
  if (href === undefined) {
    return (
      <div {...shared} onClick={() => onTake(line, false)}>
        {children}
      </div>
    )
  }
  return (
    <a
      {...shared}
      href={href}
      onClick={(event) => {
        event.preventDefault()
        onTake(line, event.ctrlKey || event.metaKey)
      }}
    >
      {children}
    </a>
  )
}

function LineWords({ line, label }: { readonly line: PaletteRow; readonly label: string }) {
  switch (line.kind) {
    case 'item':
      return <Item item={line.item} />
    case 'record':
      return <Record record={line.record} />
    case 'all':
      return (
        <span className="found-all">
          {t('All in {label}', { label })}
          <IconArrowRight size={14} stroke={1.5} aria-hidden />
        </span>
      )
  }
}

function Item({ item: { icon: ItemIcon, look, label, within, note, keys } }: { readonly item: PaletteItem }) {
  return (
    <>
      {look ? <CollectionIcon look={look} /> : ItemIcon && <ItemIcon size={18} stroke={1.5} aria-hidden />}
      <span className="palette-item-label" dir="auto">
        {label}
        {note !== undefined && <span className="palette-item-note">{note}</span>}
      </span>
      {within !== undefined && (
        <span className="palette-item-within" dir="auto">
          {within}
        </span>
      )}
      {keys !== undefined && <ShortcutHint keys={keys} />}
    </>
  )
}

const rangesOf = (marks: readonly (readonly number[])[]): readonly TextRange[] =>
  marks.map(([from = 0, to = 0]) => [from, to])

type RecordProps = { readonly record: Extract<PaletteRow, { readonly kind: 'record' }>['record'] }

function Record({ record: { title, titleMarks, snippet } }: RecordProps) {
  return (
    <>
      <span className="found-title">
        {title === '' ? (
          <span className="found-untitled">{UNTITLED}</span>
        ) : (
          <HighlightedText text={title} ranges={rangesOf(titleMarks)} />
        )}
      </span>
      {snippet && (
        <span className="found-snippet">
          <span className="found-field">{snippet.label}</span>
          <span className="found-text">
            <HighlightedText text={snippet.text} ranges={rangesOf(snippet.marks)} />
          </span>
        </span>
      )}
    </>
  )
}
