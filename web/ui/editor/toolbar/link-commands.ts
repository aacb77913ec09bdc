import { type Editor, getMarkRange } from '@tiptap/core'
import { linkUrl } from '#web/ui/text/link-url.ts'

/** The address of the link the caret or selection is in, if it is in one. */
export function currentLink(editor: Editor): string | undefined {
  const href: unknown = editor.getAttributes('link')['href']
  return typeof href === 'string' ? href : undefined
}

/** What the address field starts with: the link that is there, else what is selected if that is an address. */
export function suggestedAddress(editor: Editor): string {
  const { from, to } = editor.state.selection
  return currentLink(editor) ?? linkUrl(editor.state.doc.textBetween(from, to, ' ')) ?? ''
}

/** Links what is selected, the link the caret is in, or, with a bare caret, the address itself as its own words. */
export function saveLink(editor: Editor, address: string): void {
  const { selection, schema } = editor.state
  const linkType = schema.marks['link']
  const range = linkType && getMarkRange(selection.$from, linkType)
  const chain = editor.chain().focus()

  if (selection.empty && !range) {
    chain
      .insertContent({ type: 'text', text: address, marks: [{ type: 'link', attrs: { href: address } }] })
      .unsetMark('link')
      .run()
    return
  }
  chain.extendMarkRange('link').setMark('link', { href: address }).run()
}

/** Takes the link away and leaves its words. */
export function removeLink(editor: Editor): void {
  editor.chain().focus().extendMarkRange('link').unsetMark('link').run()
}
