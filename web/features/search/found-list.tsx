import { useEffect, useRef } from 'react'
import { useFollow } from '#web/fields/app-link.tsx'
import { UNTITLED } from '#web/fields/record-title.ts'
import { IconArrowRight } from '#web/kit/icons/icon-arrow-right.ts'
import { MarkedText, type TextRange } from '#web/kit/marked-text.tsx'
import type { FoundLine, FoundSection } from './found-lines.ts'

type FoundListProps = {
  readonly id: string
  readonly sections: readonly FoundSection[]
  /** The line the keyboard stands on. */
  readonly chosen: string | undefined
  readonly onFollow: () => void
}

/** What was found, collection by collection; the focus stays in the field above. */
export function FoundList({ id, sections, chosen, onFollow }: FoundListProps) {
  return (
    <div id={id} role="listbox" aria-label="Found records" className="found-list" hidden={sections.length === 0}>
      {sections.map((section) => (
        <div key={section.id} role="group" aria-labelledby={`found-in-${section.id}`} className="found-section">
          <div id={`found-in-${section.id}`} className="found-section-name">
            {section.label}
          </div>
          {section.lines.map((line) => (
            <Line key={line.id} line={line} section={section} isChosen={line.id === chosen} onFollow={onFollow} />
          ))}
        </div>
      ))}
    </div>
  )
}

type LineProps = {
  readonly line: FoundLine
  readonly section: FoundSection
  readonly isChosen: boolean
  readonly onFollow: () => void
}

function Line({ line, section, isChosen, onFollow }: LineProps) {
  const follow = useFollow()
  const own = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isChosen) own.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <a
      ref={own}
      id={line.id}
      href={line.href}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      className="found-line"
      onClick={(event) => {
        follow(event)
        if (event.defaultPrevented) onFollow()
      }}
    >
      {line.item === undefined ? <AllOf label={section.label} /> : <Record item={line.item} />}
    </a>
  )
}

function AllOf({ label }: { readonly label: string }) {
  return (
    <span className="found-all">
      All in {label}
      <IconArrowRight size={14} stroke={1.5} aria-hidden />
    </span>
  )
}

const rangesOf = (marks: readonly (readonly number[])[]): readonly TextRange[] =>
  marks.map(([from = 0, to = 0]) => [from, to])

function Record({ item: { title, titleMarks, snippet } }: { readonly item: NonNullable<FoundLine['item']> }) {
  return (
    <>
      <span className="found-title">
        {title === '' ? (
          <span className="found-untitled">{UNTITLED}</span>
        ) : (
          <MarkedText text={title} ranges={rangesOf(titleMarks)} />
        )}
      </span>
      {snippet && (
        <span className="found-snippet">
          <span className="found-field">{snippet.label}</span>
          <span className="found-text">
            <MarkedText text={snippet.text} ranges={rangesOf(snippet.marks)} />
          </span>
        </span>
      )}
    </>
  )
}
