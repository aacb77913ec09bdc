import { type Editor, Extension } from '@tiptap/core'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import {
  type DocumentEmbeds,
  isUploadingId,
  type MentionIds,
  uploadIdOf,
  uploadingId,
} from '#web/ui/document/embeds.tsx'
import { createContext, type ReactNode } from 'react'
import { Fragment, type Node, type Schema, Slice } from '@tiptap/pm/model'
import { exitSuggestion, Suggestion } from '@tiptap/suggestion'
import { IconFileText, IconUser } from '#web/ui/icons/start.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'
import { rendererOf, type SuggestionItem, type SuggestionStore } from '#web/ui/editor/suggestions/suggestions.ts'

async function sendFiles(
  editor: Editor,
  { send }: Pick<EditorEmbeds, 'send'>,
  given: DataTransfer | readonly File[],
  at?: number,
): Promise<void> {
  const marks = await send(given)
  if (marks.length === 0 || editor.isDestroyed) return
  const { doc, selection } = editor.state
  const place = Math.min(at ?? selection.to, doc.content.size)
  const blocks = marks.map((mark) => ({ type: 'file', attrs: { file: uploadingId(mark) } }))
  editor.chain().focus().insertContentAt(place, blocks).run()
}

/** Replaces the placeholder of an uploaded file with the file, and removes the placeholder of a canceled upload. */
export function endUpload(editor: Editor, { mark, arrived }: UploadResult): void {
  const { state, view } = editor
  const place = mark === undefined ? undefined : placeOf(state.doc, mark)
  const block = arrived && blockOf(state.schema, arrived)
  const { tr } = state
  if (place !== undefined && block) tr.replaceWith(place, place + 1, block)
  else if (place !== undefined) tr.delete(place, place + 1)
  // The user left the page in the meantime, so the placeholder no longer exists: append the file.
  else if (block) tr.insert(state.doc.content.size, block)
  if (tr.docChanged) view.dispatch(tr.setMeta('addToHistory', false))
}

const blockOf = (schema: Schema, { file, isPicture }: NonNullable<UploadResult['arrived']>) =>
  schema.nodes[isPicture ? 'image' : 'file']?.create({ file })

function placeOf(doc: Node, mark: string): number | undefined {
  let found: number | undefined
  doc.descendants((node, at) => {
    if (uploadIdOf(node.attrs['file']) === mark) found = at
    return found === undefined
  })
  return found
}

function uploadIdsIn(doc: Node): ReadonlySet<string> {
  const marks = new Set<string>()
  doc.descendants((node) => {
    const mark = uploadIdOf(node.attrs['file'])
    if (mark !== undefined) marks.add(mark)
  })
  return marks
}

/** Removes and counts pasted files that belong to another document; a file can belong to only one document. */
function withoutForeignEmbeds(
  slice: Slice,
  isKnown: (file: string) => boolean,
): { readonly slice: Slice; readonly strangers: number } {
  let strangers = 0
  const clean = (fragment: Fragment): Fragment => {
    const kept: Node[] = []
    fragment.forEach((node) => {
      const file: unknown = node.attrs['file']
      if (typeof file === 'string' && !isKnown(file)) strangers += 1
      else kept.push(node.isLeaf ? node : node.copy(clean(node.content)))
    })
    return Fragment.from(kept)
  }
  const content = clean(slice.content)
  return { slice: strangers === 0 ? slice : new Slice(content, slice.openStart, slice.openEnd), strangers }
}

export type UploadResult = {
  readonly mark: string | undefined
  readonly arrived: { readonly file: string; readonly isPicture: boolean } | undefined
}

type MentionOption = {
  readonly mention: MentionIds
  readonly name: string
  readonly detail?: string
}

export type FoundMentions = { readonly choices: readonly MentionOption[]; readonly isCut: boolean }

export type EditorEmbeds = DocumentEmbeds & {
  /** Starts uploading dropped, pasted or selected files; returns a placeholder ID for each accepted file. */
  readonly send: (given: DataTransfer | readonly File[]) => Promise<readonly string[]>
  readonly drawUpload: (mark: string) => ReactNode
  readonly giveUp: (mark: string) => void
  readonly follow: (listener: (end: UploadResult) => void) => () => void
  readonly search: (text: string, signal: AbortSignal) => Promise<FoundMentions>
  readonly mentioned: (choice: MentionOption) => void
  readonly onStrange: (count: number) => void
}

export const UploadView = createContext<(mark: string) => ReactNode>(() => null)

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    writesInside: {
      chooseFiles: () => ReturnType
    }
  }
}

export type CurrentEmbeds = () => EditorEmbeds | undefined

/** Accepts dropped, pasted and selected files. Removes pasted files that belong to another document. */
export const createEmbeds = (insideNow: CurrentEmbeds) =>
  Extension.create({
    name: 'writesInside',
    addCommands: () => ({
      chooseFiles:
        () =>
        ({ editor }) =>
          chooseFiles(editor, insideNow()),
    }),
    addProseMirrorPlugins() {
      const { editor } = this
      const take = (data: DataTransfer | null, at?: number): boolean => {
        const inside = insideNow()
        if (!inside || !data || data.files.length === 0) return false
        void sendFiles(editor, inside, data, at)
        return true
      }
      return [
        new Plugin({
          props: {
            handleDrop: (view, event, _slice, isMoved) =>
              !isMoved &&
              take(event.dataTransfer, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos) &&
              isTaken(event),
            handlePaste: (_view, event) => !hasWords(event.clipboardData) && take(event.clipboardData),
            transformPasted: (pasted, view) => {
              const known = marksAndFiles(view.state.doc)
              const isKnown = (file: string) => known.has(file) || insideNow()?.fileOf(file) !== undefined
              const { slice, strangers } = withoutForeignEmbeds(pasted, isKnown)
              if (strangers > 0) insideNow()?.onStrange(strangers)
              return slice
            },
          },
        }),
      ]
    },
    onTransaction({ transaction }) {
      // External changes, and changes made by an upload itself, don't cancel uploads.
      if (!transaction.docChanged || transaction.getMeta('addToHistory') === false) return
      const still = uploadIdsIn(transaction.doc)
      for (const mark of uploadIdsIn(transaction.before)) if (!still.has(mark)) insideNow()?.giveUp(mark)
    },
  })

/** Whether the clipboard contains text; spreadsheets and word processors also add an image of the selection. */
const hasWords = (data: DataTransfer | null): boolean =>
  data === null || data.types.includes('text/plain') || data.types.includes('text/rtf')

function isTaken(event: Event): true {
  event.preventDefault()
  return true
}

function marksAndFiles(doc: Parameters<typeof uploadIdsIn>[0]): ReadonlySet<string> {
  const files = new Set<string>()
  doc.descendants(({ attrs: { file } }) => {
    if (typeof file === 'string' && !isUploadingId(file)) files.add(file)
  })
  return files
}

function chooseFiles(editor: Editor, inside: EditorEmbeds | undefined): boolean {
  if (!inside) return false
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.addEventListener('change', () => void sendFiles(editor, inside, [...(input.files ?? [])]))
  input.click()
  return true
}

const key = new PluginKey('mentionMenu')

/** Search debounce in ms. */
const PAUSE_MS = 150

type Named = SuggestionItem & { readonly choice: MentionOption }

const namedOf = (choice: MentionOption): Named => ({
  id: choice.mention.id,
  label: choice.name,
  icon: choice.mention.kind === 'user' ? IconUser : IconFileText,
  ...(choice.detail !== undefined && { detail: choice.detail }),
  choice,
})

/** The list opened by typing `@`: users first, then records that the author can see. */
export const mentionMenu = (store: SuggestionStore, insideNow: CurrentEmbeds) =>
  Extension.create({
    name: 'mentionMenu',
    addProseMirrorPlugins() {
      let isCut = false
      return [
        Suggestion<Named, Named>({
          editor: this.editor,
          pluginKey: key,
          char: '@',
          allowSpaces: true,
          debounce: PAUSE_MS,
          decorationClass: 'editor-typed',
          allow: ({ state }) => insideNow() !== undefined && !state.selection.$from.parent.type.spec.code,
          items: async ({ query, signal }) => {
            const found = await insideNow()?.search(query, signal)
            isCut = found?.isCut === true
            return (found?.choices ?? []).map(namedOf)
          },
          command: ({ editor, range, props: { choice } }) => {
            insideNow()?.mentioned(choice)
            editor
              .chain()
              .focus()
              .insertContentAt(range, [
                { type: 'mention', attrs: choice.mention },
                { type: 'text', text: ' ' },
              ])
              .run()
          },
          render: rendererOf(store, UI_TEXTS.inside.mention, () => isCut),
        }),
      ]
    },
    onBlur() {
      exitSuggestion(this.editor.view, key)
    },
  })
