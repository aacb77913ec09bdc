import type { Editor } from '@tiptap/core'
import { useEffect, useId, useRef } from 'react'
import '../../dropdown/dropdown.css'
import { optionPosition } from '#web/ui/dropdown/option-list.ts'
import { useStore } from '#web/ui/store.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { ShortcutHint } from '#web/ui/shortcuts/shortcuts.tsx'
import { Floating } from '#web/ui/editor/toolbar/toolbar.tsx'
import type { SuggestionItem, OpenSuggestions, SuggestionStore } from './suggestions.ts'

/** A list below the caret. Focus stays in the text, which refers to the active option for screen readers. */
export function SuggestionList({ editor, store }: { editor: Editor; store: SuggestionStore }) {
  const open = useStore(store)
  if (!open || open.choices.length === 0) return null
  return <OpenList editor={editor} open={open} />
}

function OpenList({ editor, open }: { editor: Editor; open: OpenSuggestions }) {
  const id = useId()
  const { label, choices, isCut, active, place, choose } = open
  const optionId = (at: number) => `${id}-${at}`
  const activeId = optionId(active)
  const shown = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const text = editor.view.dom
    text.setAttribute('aria-controls', id)
    text.setAttribute('aria-activedescendant', activeId)
    shown.current?.scrollIntoView({ block: 'nearest' })
    return () => {
      text.removeAttribute('aria-controls')
      text.removeAttribute('aria-activedescendant')
    }
  }, [editor, id, activeId])

  return (
    <Floating place={place} side="below">
      {(placed) => (
        <div {...placed} className="editor-choices">
          <div className="editor-choices-list" role="listbox" id={id} aria-label={label}>
            {choices.map((choice, at) => (
              <div
                key={choice.id}
                ref={at === active ? shown : undefined}
                id={optionId(at)}
                className="editor-choice"
                role="option"
                {...optionPosition(at, isCut ? -1 : choices.length)}
                tabIndex={-1}
                aria-selected={at === active}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(at)}
              >
                <SuggestionContent choice={choice} />
              </div>
            ))}
          </div>
          <div className="option-cut" role="status">
            {isCut && UI_TEXTS.inside.mentionsCut}
          </div>
        </div>
      )}
    </Floating>
  )
}

function SuggestionContent({ choice: { icon: Icon, label, detail, keys } }: { choice: SuggestionItem }) {
  return (
    <>
      {Icon && <Icon size={18} stroke={1.5} aria-hidden />}
      <span className="editor-choice-label">{label}</span>
      {detail !== undefined && <span className="editor-choice-detail">{detail}</span>}
      {keys !== undefined && <ShortcutHint keys={keys} />}
    </>
  )
}
