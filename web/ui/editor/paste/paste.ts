import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { cleanPasted } from './clean-pasted.ts'
import { looksLikeMarkdown } from './detect-markdown.ts'

/** Where a text was coloured as a program: the colours are no formatting of its own. */
const FROM_CODE_EDITOR = 'vscode-editor-data'

/** The text that is all there is, or all that counts. */
function plainText({ clipboardData }: ClipboardEvent): string | undefined {
  if (!clipboardData) return undefined
  const hasHtml = clipboardData.types.includes('text/html') && !clipboardData.types.includes(FROM_CODE_EDITOR)
  const text = clipboardData.getData('text/plain')
  return hasHtml || text === '' ? undefined : text
}

async function pasteMarkdown(view: EditorView, text: string): Promise<void> {
  const { markdownAsHtml } = await import('./markdown-html.ts')
  if (!view.isDestroyed) view.pasteHTML(markdownAsHtml(text))
}

/** Reads what other programs put into the clipboard. With Shift it is taken word for word. */
export const Paste = Extension.create({
  name: 'pasteFromElsewhere',
  // Before the links, which take a pasted address for themselves only when it is all there is.
  priority: 900,
  addProseMirrorPlugins() {
    let isLiteral = false
    return [
      new Plugin({
        props: {
          handleKeyDown(_view, { key, shiftKey, metaKey, ctrlKey }) {
            isLiteral = shiftKey && (metaKey || ctrlKey) && key.toLowerCase() === 'v'
            return false
          },
          transformPastedHTML: cleanPasted,
          handlePaste(view, event) {
            const text = isLiteral || view.state.selection.$from.parent.type.spec.code ? undefined : plainText(event)
            isLiteral = false
            if (text === undefined || !looksLikeMarkdown(text)) return false
            // Without the chunk, which a line that broke may keep away, the words themselves come in.
            void pasteMarkdown(view, text).then(undefined, () => view.pasteText(text))
            return true
          },
        },
      }),
    ]
  },
})
