import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { useEffect, useState } from 'react'
import { LOCALE } from '#web/i18n/locale.ts'

/** How long a text is. */
export type TextLength = { readonly words: number; readonly characters: number }

/** Counted again this long after the last change: nobody reads the number while they type. */
const REST_MS = 500

/** Words as the language at hand divides them, and characters as people see them, without the ends of lines. */
export function lengthOf(text: string): TextLength {
  const words = [...new Intl.Segmenter(LOCALE, { granularity: 'word' }).segment(text)]
  return {
    words: words.filter(({ isWordLike }) => isWordLike).length,
    characters: [...text.replaceAll('\n', '')].length,
  }
}

/** The lengths of lines that were counted before: a line that was not touched is the same node. */
const counted = new WeakMap<Node, TextLength>()

function lengthOfLine(line: Node): TextLength {
  const length = counted.get(line) ?? lengthOf(line.textBetween(0, line.content.size, undefined, '\n'))
  counted.set(line, length)
  return length
}

function lengthOfAll(doc: Node): TextLength {
  let [words, characters] = [0, 0]
  doc.descendants((node) => {
    if (!node.isTextblock) return true
    const length = lengthOfLine(node)
    words += length.words
    characters += length.characters
    return false
  })
  return { words, characters }
}

/** The length of what is in the editor, counted when the typing rests. */
export function useTextLength(editor: Editor): TextLength {
  const [length, setLength] = useState<TextLength>({ words: 0, characters: 0 })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => setLength(lengthOfAll(editor.state.doc))
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
