import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import { type Editor, Extension } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import { IconChevronDown } from '#web/ui/icons/frame.ts'
import { IconChevronUp, IconLetterCase } from '#web/ui/icons/editor.ts'
import { IconX } from '#web/ui/icons/later.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { ariaShortcut } from '#web/ui/shortcuts/shortcuts.tsx'
import './find-panel.css'
import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import type { Node } from '@tiptap/pm/model'

type Search = { readonly words: string; readonly isCaseKept: boolean }

type Match = { readonly from: number; readonly to: number }

/** Placeholder for a non-text node, so that text offsets match document positions. */
const NO_TEXT = '\uFFFC'

const SIGNS = /[\\^$.*+?()[\]{}|]/g

/** All non-overlapping matches; a match never spans lines. */
export function findMatches(doc: Node, { words, isCaseKept }: Search): Match[] {
  if (words === '') return []
  const pattern = new RegExp(words.replaceAll(SIGNS, '\\$&'), isCaseKept ? 'gu' : 'giu')
  const matches: Match[] = []
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true
    const text = node.textBetween(0, node.content.size, undefined, NO_TEXT)
    for (const { index, 0: found } of text.matchAll(pattern)) {
      matches.push({ from: pos + 1 + index, to: pos + 1 + index + found.length })
    }
    return false
  })
  return matches
}

/** Index of the match at or after the caret, or of the first match. */
export function firstFrom(matches: readonly Match[], caret: number): number {
  return Math.max(
    matches.findIndex(({ from }) => from >= caret),
    0,
  )
}

type Finding = { readonly search: Search; readonly matches: readonly Match[]; readonly active: number }

const NOTHING: Finding = { search: { words: '', isCaseKept: false }, matches: [], active: 0 }

const key = new PluginKey<Finding>('find')

const findingIn = (state: EditorState): Finding => key.getState(state) ?? NOTHING

function search(editor: Editor, wanted: Search): void {
  const { state, view } = editor
  const matches = findMatches(state.doc, wanted)
  const finding = { search: wanted, matches, active: firstFrom(matches, state.selection.from) }
  view.dispatch(state.tr.setMeta(key, finding))
  showActive(editor)
}

function step(editor: Editor, by: 1 | -1): void {
  const { state, view } = editor
  const finding = findingIn(state)
  const count = finding.matches.length
  if (count === 0) return
  view.dispatch(state.tr.setMeta(key, { ...finding, active: (finding.active + by + count) % count }))
  showActive(editor)
}

function replaceActive(editor: Editor, words: string): void {
  const { matches, active } = findingIn(editor.state)
  const match = matches[active]
  if (match) replace(editor, [match], words)
  showActive(editor)
}

function replaceAll(editor: Editor, words: string): number {
  const { matches } = findingIn(editor.state)
  replace(editor, matches, words)
  return matches.length
}

function replace({ state, view }: Editor, matches: readonly Match[], words: string): void {
  const { tr } = state
  // Replaces from last to first, so that earlier positions stay valid.
  for (const { from, to } of matches.toReversed()) tr.insertText(words, from, to)
  view.dispatch(tr)
}

function endSearch(editor: Editor): void {
  const { matches, active } = findingIn(editor.state)
  const match = matches[active]
  const chain = editor.chain()
  if (match) chain.setTextSelection(match)
  chain.focus().run()
  editor.view.dispatch(editor.state.tr.setMeta(key, NOTHING))
}

function showActive({ view }: Editor): void {
  view.dom.querySelector('.editor-found-active')?.scrollIntoView({ block: 'nearest' })
}

function afterChange(finding: Finding, state: EditorState): Finding {
  const matches = findMatches(state.doc, finding.search)
  return { ...finding, matches, active: Math.min(finding.active, Math.max(matches.length - 1, 0)) }
}

export const Find = Extension.create({
  name: 'find',
  addProseMirrorPlugins: () => [
    new Plugin<Finding>({
      key,
      state: {
        init: () => NOTHING,
        apply(tr, finding, _before, state) {
          const given: Finding | undefined = tr.getMeta(key)
          if (given) return given
          return tr.docChanged && finding !== NOTHING ? afterChange(finding, state) : finding
        },
      },
      props: {
        decorations(state) {
          const { matches, active } = findingIn(state)
          if (matches.length === 0) return null
          const marks = matches.map(({ from, to }, at) =>
            Decoration.inline(from, to, { class: at === active ? 'editor-found editor-found-active' : 'editor-found' }),
          )
          return DecorationSet.create(state.doc, marks)
        },
      },
    }),
  ],
})

const TEXTS = UI_TEXTS.editor.finding

export function FindPanel({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [words, setWords] = useState(() => selectedWords(editor))
  const [isCaseKept, setCaseKept] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const finding = useEditorState({ editor, selector: ({ editor: now }) => findingIn(now.state) })

  useLayoutEffect(() => input.current?.select(), [])
  useEffect(() => search(editor, { words, isCaseKept }), [editor, words, isCaseKept])

  const close = () => {
    endSearch(editor)
    onClose()
  }
  const pressKey = (event: KeyboardEvent) => {
    const isAgain = event.key.toLowerCase() === 'f' && (event.metaKey || event.ctrlKey) && !event.shiftKey
    if (event.key === 'Escape') close()
    else if (isAgain) input.current?.select()
    else return
    // Prevents Escape from closing the surrounding form and the browser from opening its own search.
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="editor-find" role="search" aria-label={UI_TEXTS.editor.find} onKeyDown={pressKey}>
      <div className="editor-find-line">
        <TextInput
          ref={input}
          size="xs"
          aria-label={TEXTS.find}
          placeholder={TEXTS.find}
          value={words}
          rightSection={<FoundCount count={finding.matches.length} at={finding.active} isRequested={words !== ''} />}
          rightSectionWidth={76}
          onChange={(event) => setWords(event.currentTarget.value)}
          onKeyDown={onEnter(({ shiftKey }) => step(editor, shiftKey ? -1 : 1))}
        />
        <IconTool label={TEXTS.previous} icon={IconChevronUp} keys="Shift+Enter" onUse={() => step(editor, -1)} />
        <IconTool label={TEXTS.next} icon={IconChevronDown} keys="Enter" onUse={() => step(editor, 1)} />
        <IconTool
          label={TEXTS.keepCase}
          icon={IconLetterCase}
          isOn={isCaseKept}
          onUse={() => setCaseKept(!isCaseKept)}
        />
        <IconTool label={UI_TEXTS.close} icon={IconX} keys="Escape" onUse={close} />
      </div>
      <ReplaceRow editor={editor} isIdle={finding.matches.length === 0} />
    </div>
  )
}

function ReplaceRow({ editor, isIdle }: { editor: Editor; isIdle: boolean }) {
  const [other, setOther] = useState('')
  return (
    <div className="editor-find-line">
      <TextInput
        size="xs"
        aria-label={TEXTS.replaceBy}
        placeholder={TEXTS.replaceBy}
        value={other}
        onChange={(event) => setOther(event.currentTarget.value)}
        onKeyDown={onEnter(() => replaceActive(editor, other))}
      />
      <Button size="xs" disabled={isIdle} onClick={() => replaceActive(editor, other)}>
        {TEXTS.replace}
      </Button>
      <Button size="xs" disabled={isIdle} onClick={() => replaceAll(editor, other)}>
        {TEXTS.replaceAll}
      </Button>
    </div>
  )
}

const onEnter = (run: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  run(event)
}

/** Selected text within one line becomes the search text. */
function selectedWords(editor: Editor): string {
  const { from, to, $from, $to } = editor.state.selection
  return $from.sameParent($to) ? editor.state.doc.textBetween(from, to) : ''
}

function FoundCount({ count, at, isRequested }: { count: number; at: number; isRequested: boolean }) {
  const words = count === 0 ? TEXTS.none : TEXTS.place(at + 1, count)
  return (
    <span className="editor-find-count" role="status">
      {isRequested && words}
    </span>
  )
}

type IconToolProps = {
  readonly label: string
  readonly icon: Icon
  readonly keys?: string
  readonly isOn?: boolean
  readonly onUse: () => void
}

function IconTool({ label, icon: Face, keys, isOn, onUse }: IconToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="md"
        aria-label={label}
        aria-keyshortcuts={keys && ariaShortcut(keys)}
        aria-pressed={isOn}
        data-on={isOn || undefined}
        onClick={onUse}
      >
        <Face size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
