/** Attributes of a node or mark of a rich-text document: plain values only. */
export type DocumentAttrs = { readonly [name: string]: string | number | boolean }

/** A mark on a run of text. */
export type DocumentMark = {
  readonly type: 'bold' | 'italic' | 'underline' | 'strike' | 'code' | 'link'
  readonly attrs?: DocumentAttrs
}

/** A node of a rich-text document, in the JSON form ProseMirror writes. */
export type DocumentNode = {
  readonly type:
    | 'doc'
    | 'paragraph'
    | 'heading'
    | 'bulletList'
    | 'orderedList'
    | 'taskList'
    | 'listItem'
    | 'taskItem'
    | 'blockquote'
    | 'codeBlock'
    | 'horizontalRule'
    | 'table'
    | 'tableRow'
    | 'tableHeader'
    | 'tableCell'
    | 'image'
    | 'file'
    | 'text'
    | 'hardBreak'
    | 'mention'
  readonly attrs?: DocumentAttrs
  readonly content?: readonly DocumentNode[]
  readonly marks?: readonly DocumentMark[]
  readonly text?: string
}

/** A whole rich-text document as the editor gives it and the view takes it. */
export type RichTextDocument = DocumentNode & { readonly type: 'doc' }
