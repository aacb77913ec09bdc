import type { Editor } from '@tiptap/core'
import { Fragment, type Node, type Schema, Slice } from '@tiptap/pm/model'
import { uploadIdOf, uploadingId } from '#web/ui/document/embed-context.ts'
import type { EditorEmbeds, UploadResult } from './editor-embeds.ts'

/** Sends files, and puts what stands for them where they were let go; at the caret where nothing is said. */
export async function sendFiles(
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

/** Puts a file that has arrived in the place of what stood for it, and takes away what stands for one that was given up. */
export function endUpload(editor: Editor, { mark, arrived }: UploadResult): void {
  const { state, view } = editor
  const place = mark === undefined ? undefined : placeOf(state.doc, mark)
  const block = arrived && blockOf(state.schema, arrived)
  const { tr } = state
  if (place !== undefined && block) tr.replaceWith(place, place + 1, block)
  else if (place !== undefined) tr.delete(place, place + 1)
  // Nothing stands for it, as its page was left meanwhile: it comes last.
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

/** The marks of the files on their way in a document. */
export function uploadIdsIn(doc: Node): ReadonlySet<string> {
  const marks = new Set<string>()
  doc.descendants((node) => {
    const mark = uploadIdOf(node.attrs['file'])
    if (mark !== undefined) marks.add(mark)
  })
  return marks
}

/** What was pasted without the files of other texts, and how many those were: a file stands in one place alone. */
export function withoutForeignEmbeds(
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
