import { textblockTypeInputRule } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Code } from '@tiptap/extension-code'
import { CodeBlock } from '@tiptap/extension-code-block'
import { Paragraph } from '@tiptap/extension-paragraph'
import { keepsTab } from './indent.ts'
import { NESTED } from './node-groups.ts'

/** A line of words. */
export const ParagraphNode = Paragraph.extend({ group: NESTED })

/** A quote of lines, headings, lists and code. */
export const Quote = Blockquote.extend({ group: NESTED, content: '(nested | heading)+' })

/** Words set as code; they may be bold or linked as well. */
export const InlineCode = Code.extend({ excludes: 'code' })

const LANGUAGE = /^[a-z0-9+#._-]{1,32}$/

/** Spaces that Tab makes in code. */
const TAB_SIZE = 2

/** Lines of code, with the name of their language if it has one that can be kept. */
export const CodeLines = CodeBlock.extend({
  group: NESTED,
  addAttributes() {
    return {
      language: {
        default: '',
        rendered: false,
        parseHTML: (element: HTMLElement) => {
          const names = [...element.classList, ...(element.firstElementChild?.classList ?? [])]
          const name = names.find((each) => each.startsWith('language-'))?.slice('language-'.length) ?? ''
          return LANGUAGE.test(name) ? name : ''
        },
      },
    }
  },
  addKeyboardShortcuts() {
    const keys = this.parent?.() ?? {}
    return { ...keys, ...keepsTab(this.editor, keys) }
  },
  addInputRules() {
    return [
      textblockTypeInputRule({
        find: /^```([a-z0-9+#._-]{1,32})?[\s\n]$/,
        type: this.type,
        getAttributes: (match) => ({ language: match[1] ?? '' }),
      }),
    ]
  },
}).configure({ enableTabIndentation: true, tabSize: TAB_SIZE })
