import { type Editor as TiptapEditor, type JSONContent, useEditor } from '@tiptap/react'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import {
  type DocumentAttrs,
  type DocumentNode,
  isUploadingId,
  type RichTextDocument,
  WHOLE_WIDTH,
} from '#web/ui/document/embeds.tsx'
import { type EditorEmbeds, endUpload } from './embeds/editor-embeds.ts'
import { editorExtensions } from './extensions.ts'
import type { SuggestionStore } from './suggestions/suggestions.ts'
import type { Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { LOCALE } from '#web/i18n/locale.ts'

/** Attributes that are omitted if they have their default values, as on the server. */
const SILENT: Readonly<Record<string, unknown>> = {
  indent: 0,
  start: 1,
  checked: false,
  language: '',
  colspan: 1,
  rowspan: 1,
  alt: '',
  width: WHOLE_WIDTH,
}

function compactAttrs(attrs: DocumentAttrs): DocumentAttrs | undefined {
  const telling = Object.entries(attrs).filter(([name, value]) => value !== null && SILENT[name] !== value)
  return telling.length > 0 ? Object.fromEntries(telling) : undefined
}

/** The document as the server stores it, without default attributes, so that unchanged text compares equal. */
export function compactDocument(document: RichTextDocument): RichTextDocument {
  return { ...compactNode(document), type: 'doc' }
}

const EMPTY_LINE: DocumentNode = { type: 'paragraph' }

/** Omits files that are still uploading. A node that requires content keeps an empty line. */
function keptContent(content: readonly DocumentNode[], isWhole: boolean): readonly DocumentNode[] {
  const kept = content.filter((node) => !isUploadingId(node.attrs?.['file']))
  return kept.length === 0 && content.length > 0 && !isWhole ? [EMPTY_LINE] : kept
}

function compactNode({ attrs, content: given = [], ...rest }: DocumentNode): DocumentNode {
  const kept = attrs && compactAttrs(attrs)
  const content = keptContent(given, rest.type === 'doc')
  return {
    ...rest,
    ...(kept && { attrs: kept }),
    ...(content.length > 0 && { content: content.map(compactNode) }),
  }
}

function isEmptyDocument(document: RichTextDocument): boolean {
  const [first, ...more] = document.content ?? []
  return more.length === 0 && (!first || (first.type === 'paragraph' && !first.content?.length && !first.attrs))
}

export type EditorProps = {
  /**
   * The document, or null if the field is empty. A value other than the last one passed to `onChange` replaces the
   * content.
   */
  readonly value: RichTextDocument | null
  readonly onChange: (value: RichTextDocument | null) => void
  readonly label: string
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly required?: boolean
  readonly placeholder?: string
  readonly autoFocus?: boolean
  readonly onBlur?: () => void
  readonly inside?: EditorEmbeds | undefined
}

/** In px: keeps the caret visible between the toolbar and the bottom edge. */
const SCROLL_MARGIN = { top: 90, right: 0, bottom: 32, left: 0 }

const EMPTY: RichTextDocument = { type: 'doc', content: [{ type: 'paragraph' }] }

function contentOf(value: RichTextDocument | null): JSONContent {
  // Tiptap only reads the document, but its type isn't `readonly`.
  return (value ?? EMPTY) as JSONContent
}

function documentOf(editor: TiptapEditor): RichTextDocument | null {
  const document = compactDocument(editor.getJSON() as RichTextDocument)
  return isEmptyDocument(document) ? null : document
}

/** Connects Tiptap's editor to a field: changes are reported immediately, and external values replace the text. */
export function useFieldEditor(props: EditorProps, id: string, suggestions: SuggestionStore): TiptapEditor {
  const { value, onChange, label, placeholder, autoFocus = false, required = false, error, onBlur } = props
  const lastGiven = useRef(value)
  const inside = useRef(props.inside)
  useLayoutEffect(() => {
    inside.current = props.inside
  })
  const extensions = useMemo(
    () => editorExtensions({ placeholder, suggestions, insideNow: () => inside.current }),
    [placeholder, suggestions],
  )

  const editor = useEditor({
    extensions,
    content: contentOf(value),
    autofocus: autoFocus ? 'end' : false,
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    onUpdate: ({ editor: changed }) => {
      lastGiven.current = documentOf(changed)
      onChange(lastGiven.current)
    },
    onBlur: () => onBlur?.(),
    editorProps: {
      scrollThreshold: SCROLL_MARGIN,
      scrollMargin: SCROLL_MARGIN,
      attributes: {
        class: 'document',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-required': String(required),
        'aria-invalid': String(Boolean(error)),
        'aria-describedby': [...(props.description ? [`${id}-description`] : []), `${id}-leave`].join(' '),
      },
    },
  })

  const follow = props.inside?.follow
  useEffect(() => follow?.((end) => endUpload(editor, end)), [editor, follow])

  useEffect(() => {
    if (value === lastGiven.current) return
    lastGiven.current = value
    // The user must not be able to undo an external change.
    editor.chain().setMeta('addToHistory', false).setContent(contentOf(value), { emitUpdate: false }).run()
  }, [editor, value])

  return editor
}

type TextLength = { readonly words: number; readonly characters: number }

/** Delay in ms between the last change and counting the text. */
const REST_MS = 500

export function lengthOf(text: string): TextLength {
  const words = [...new Intl.Segmenter(LOCALE, { granularity: 'word' }).segment(text)]
  return {
    words: words.filter(({ isWordLike }) => isWordLike).length,
    characters: [...text.replaceAll('\n', '')].length,
  }
}

/** Caches line lengths, because an unchanged line is represented by the same node. */
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
