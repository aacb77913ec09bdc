import { type Editor, Extension } from '@tiptap/core'
import { type EditorState, Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { findMatches, firstFrom, type Match, type Search } from './find-matches.ts'

/** What is looked for, where it is, and which of these places one is at. */
export type Finding = { readonly search: Search; readonly matches: readonly Match[]; readonly active: number }

const NOTHING: Finding = { search: { words: '', isCaseKept: false }, matches: [], active: 0 }

const key = new PluginKey<Finding>('find')

/** What is being looked for in an editor. */
export const findingIn = (state: EditorState): Finding => key.getState(state) ?? NOTHING

/** Looks for something else, beginning at the caret. */
export function search(editor: Editor, wanted: Search): void {
  const { state, view } = editor
  const matches = findMatches(state.doc, wanted)
  const finding = { search: wanted, matches, active: firstFrom(matches, state.selection.from) }
  view.dispatch(state.tr.setMeta(key, finding))
  showActive(editor)
}

/** Goes to the next match, or to the one before; around at the ends. */
export function step(editor: Editor, by: 1 | -1): void {
  const { state, view } = editor
  const finding = findingIn(state)
  const count = finding.matches.length
  if (count === 0) return
  view.dispatch(state.tr.setMeta(key, { ...finding, active: (finding.active + by + count) % count }))
  showActive(editor)
}

/** Puts other words in the place of the match one is at, and goes to the next. */
export function replaceActive(editor: Editor, words: string): void {
  const { matches, active } = findingIn(editor.state)
  const match = matches[active]
  if (match) replace(editor, [match], words)
  showActive(editor)
}

/** Puts other words in the place of every match, in one step that undo takes back; answers how many there were. */
export function replaceAll(editor: Editor, words: string): number {
  const { matches } = findingIn(editor.state)
  replace(editor, matches, words)
  return matches.length
}

function replace({ state, view }: Editor, matches: readonly Match[], words: string): void {
  const { tr } = state
  // The last one first: the places of the others stay what they are.
  for (const { from, to } of matches.toReversed()) tr.insertText(words, from, to)
  view.dispatch(tr)
}

/** Ends the search. What one was at is selected, and the keyboard goes there. */
export function endSearch(editor: Editor): void {
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

/** Marks what is looked for; while nothing is, it costs nothing. */
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
