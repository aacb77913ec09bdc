import type { Editor, EditorEvents } from '@tiptap/core'
import type { EditorProps } from '@tiptap/pm/view'
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { EditorInside } from './editor-inside.ts'
import { endUpload, marksIn, sendFiles, withoutStrangers } from './file-commands.ts'

type Latest = RefObject<{ readonly editor: Editor | undefined; readonly inside: EditorInside | undefined }>

const carriesFiles = (data: DataTransfer | null): data is DataTransfer => (data?.files.length ?? 0) > 0

/** What is dropped on a text or pasted into it; files of others do not come along. */
export function useEditorInside(inside: EditorInside | undefined) {
  const latest: Latest = useRef({ editor: undefined, inside })
  useLayoutEffect(() => {
    latest.current = { ...latest.current, inside }
  })
  const take = (data: DataTransfer | null, at?: number): boolean => {
    const now = latest.current
    if (!now.editor?.isEditable || !now.inside || !carriesFiles(data)) return false
    void sendFiles(now.editor, now.inside, data, at)
    return true
  }
  const handlers: EditorProps = {
    handleDrop: (view, event, _slice, isMoved) => {
      if (isMoved || !take(event.dataTransfer, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos))
        return false
      event.preventDefault()
      return true
    },
    handlePaste: (_view, event) => {
      const data = event.clipboardData
      // Cells of a spreadsheet and pages of text come with a picture of themselves.
      return data !== null && !data.types.includes('text/plain') && !data.types.includes('text/rtf') && take(data)
    },
    transformPasted: (pasted, view) => {
      const now = latest.current.inside
      if (!now) return pasted
      const held = new Set<string>()
      view.state.doc.descendants(({ attrs: { file } }) => void (typeof file === 'string' && held.add(file)))
      const { slice, strangers } = withoutStrangers(pasted, (file) => held.has(file) || now.fileOf(file) !== undefined)
      if (strangers > 0) now.onStrange(strangers)
      return slice
    },
  }
  return { latest, handlers }
}

/** Follows files on their way: puts them where they belong, and gives up those whose place was taken out. */
export function useUploadsOf(editor: Editor, inside: EditorInside | undefined, latest: Latest): void {
  useLayoutEffect(() => {
    latest.current = { ...latest.current, editor }
  })
  const follow = inside?.follow
  useEffect(() => follow?.((end) => endUpload(editor, end)), [editor, follow])
  useEffect(() => {
    const watch = ({ transaction }: EditorEvents['transaction']) => {
      // What comes from outside, or from an upload itself, takes nobody's file away.
      if (!transaction.docChanged || transaction.getMeta('addToHistory') === false) return
      const still = marksIn(transaction.doc)
      for (const mark of marksIn(transaction.before)) if (!still.has(mark)) latest.current.inside?.giveUp(mark)
    }
    editor.on('transaction', watch)
    return () => void editor.off('transaction', watch)
  }, [editor, latest])
}
