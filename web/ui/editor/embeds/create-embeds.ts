import { type Editor, Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { isUploadingId } from '#web/ui/document/embed-context.ts'
import type { EditorEmbeds } from './editor-embeds.ts'
import { uploadIdsIn, sendFiles, withoutForeignEmbeds } from './file-commands.ts'

declare module '@tiptap/core' {
  // Tells Tiptap's chain of commands about ours.
  interface Commands<ReturnType> {
    writesInside: {
      /** Has files chosen, which come to where the caret is. */
      chooseFiles: () => ReturnType
    }
  }
}

/** What an editor has been handed, as it is now; nothing where its document takes neither files nor mentions. */
export type CurrentEmbeds = () => EditorEmbeds | undefined

/** Takes files that are dropped, pasted or chosen. Files of other texts do not come along with what is pasted. */
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
      // What comes from outside, or from an upload itself, takes nobody's file away.
      if (!transaction.docChanged || transaction.getMeta('addToHistory') === false) return
      const still = uploadIdsIn(transaction.doc)
      for (const mark of uploadIdsIn(transaction.before)) if (!still.has(mark)) insideNow()?.giveUp(mark)
    },
  })

/** Cells of a spreadsheet and pages of text come with a picture of themselves. */
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
