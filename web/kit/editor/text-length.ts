import type { Editor } from '@tiptap/core'
import { useEffect, useState } from 'react'

/** How long a text is. */
export type TextLength = { readonly words: number; readonly characters: number }

/** Counted again this long after the last change: nobody reads the number while they type. */
const REST_MS = 500

/** Words as the language at hand divides them, and characters as people see them, without the ends of lines. */
export function lengthOf(text: string): TextLength {
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)]
  return {
    words: words.filter(({ isWordLike }) => isWordLike).length,
    characters: [...text.replaceAll('\n', '')].length,
  }
}

/** The length of what is in the editor, counted when the typing rests. */
export function useTextLength(editor: Editor): TextLength {
  const [length, setLength] = useState<TextLength>({ words: 0, characters: 0 })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => {
      const { doc } = editor.state
      setLength(lengthOf(doc.textBetween(0, doc.content.size, '\n', '\n')))
    }
    const countLater = () => {
      clearTimeout(timer)
      timer = setTimeout(count, REST_MS)
    }
    countLater()
    editor.on('update', countLater)
    return () => {
      clearTimeout(timer)
      editor.off('update', countLater)
    }
  }, [editor])
  return length
}
