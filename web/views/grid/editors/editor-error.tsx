/** What is wrong with what stands in an editor, right below it. */
export function EditorError({ id, fault }: { readonly id: string; readonly fault: string | undefined }) {
  return (
    <p id={id} role="alert" className="cell-editor-fault" hidden={fault === undefined}>
      {fault}
    </p>
  )
}
