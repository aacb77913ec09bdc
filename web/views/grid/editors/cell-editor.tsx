import type { Field } from '#domain/fields/field.ts'
import type { CellEditorProps } from './cell-editor-props.ts'
import { OptionEditor, PeopleEditor, RelationEditor } from './dropdown-editors.tsx'
import { CheckboxEditor } from './checkbox-editor.tsx'
import { DateEditor } from './date-editor.tsx'
import { FilesEditor } from './files-editor.tsx'
import { StatusEditor } from './status-editor.tsx'
import { TextEditor } from './text-editor.tsx'
import { isSetByWorkflow } from '#web/shared/fields/editable-cells.ts'
import './cell-editor.css'

/** The editor of a cell, by the kind of its field. What needs more room than a cell is written on the record's page. */
export function CellEditorOf(props: CellEditorProps) {
  const { collection, field } = props
  switch (field.kind) {
    case 'text':
    case 'long-text':
    case 'number':
    case 'email':
    case 'url':
    case 'phone':
      return <TextEditor {...props} />
    case 'date':
    case 'date-time':
      return <DateEditor {...props} />
    case 'checkbox':
      return <CheckboxEditor {...props} />
    case 'select':
    case 'multi-select':
      return <OptionEditor {...props} field={field} />
    case 'state':
      return isSetByWorkflow(collection, field) ? (
        <StatusEditor {...props} field={field} />
      ) : (
        <OptionEditor {...props} field={field} />
      )
    case 'relation':
      return <RelationEditor {...props} field={field} />
    case 'user':
      return <PeopleEditor {...props} field={field} />
    case 'files':
      return <FilesEditor {...props} field={field} />
    case 'rich-text':
    case 'json':
    case 'auto-number':
      return <Nothing field={field} />
  }
}

/** Never asked for: these columns have no editor. */
const Nothing = (_props: { readonly field: Field }) => null
