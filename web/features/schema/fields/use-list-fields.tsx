import { type ReactNode, useState } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { useChangeField } from '#web/features/schema/collection/collection-queries.ts'
import { t } from '#web/i18n/t.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { withColumnBeside } from '#web/ui/grid/columns/column-layout.ts'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { useCommand } from '#web/ui/shortcuts/commands.ts'
import { columnFields, isWide, positionBeside, type Side } from '#web/views/grid/column-fields.ts'
import type { FieldActions } from '#web/views/grid/column-menu.tsx'
import type { ListSettingsProps } from '#web/views/listing/list-settings.ts'
import type { AddedField, NewFieldStart } from './field-dialog.tsx'

const fieldDialog = lazyModule(() => import('./field-dialog.tsx'))
const removal = lazyModule(() => import('./remove-field.tsx'))

type OpenDialog = {
  readonly field: Field | 'new'
  readonly start?: NewFieldStart
  /** The column before or after which the new field is inserted. */
  readonly beside?: { readonly column: Pick<Field, 'id' | 'kind'>; readonly side: Side }
}

export type ListFields = {
  /** Undefined if the user can't change fields. */
  readonly actions: FieldActions | undefined
  readonly element: ReactNode
}

/** Adds, edits and deletes fields from the list's column headers. */
export function useListFields({ collection, look, onLook }: ListSettingsProps): ListFields {
  const [opened, setOpened] = useState<OpenDialog>()
  const [removed, setRemoved] = useState<{ readonly field: Field; readonly onRemoved: () => void }>()
  const { FieldDialog } = useLazyModule(fieldDialog, opened !== undefined) ?? {}
  const { RemoveField } = useLazyModule(removal, removed !== undefined) ?? {}
  const { mutateAsync } = useChangeField(collection.name)
  const mayManage = collection.can.includes('collections:manage')
  const add = () => setOpened({ field: 'new' })
  useCommand(mayManage && { id: 'add-field', label: t('Add a field'), about: 'page', icon: IconPlus, run: add })
  if (!mayManage) return { actions: undefined, element: null }

  const insert = (field: Field, side: Side, copyOf?: Field) => {
    const start = { position: positionBeside(collection, field, side), ...(copyOf && { copyOf }) }
    setOpened({ field: 'new', start, beside: { column: field, side } })
  }
  const place = (added: AddedField) => {
    if (!opened?.beside) return
    const { column, side } = opened.beside
    const { layout } = look
    // Wide columns come last unless the user has reordered columns.
    const isApart = isWide(added) !== isWide(column)
    const order = isApart
      ? [...new Set([...layout.order, ...columnFields(collection).map(({ id }) => id)])]
      : layout.order
    onLook({ layout: withColumnBeside({ ...layout, order }, added.id, column.id, side) })
    // The next new field is inserted after this one.
    if (side === 'after') setOpened((before) => before && { ...before, beside: { column: added, side } })
  }
  return {
    actions: {
      add,
      edit: (field) => setOpened({ field }),
      insert,
      duplicate: (field) => insert(field, 'after', field),
      remove: (field, onRemoved) => setRemoved({ field, onRemoved }),
      rename: (field, label) =>
        mutateAsync({ field, body: { label } }).then(() => undefined, notifyFailure(t('Couldn’t rename the field'))),
    },
    element: (
      <>
        {FieldDialog && (
          <FieldDialog
            collection={collection}
            field={opened?.field ?? null}
            {...(opened?.start && { start: opened.start })}
            onAdded={place}
            onClose={() => setOpened(undefined)}
          />
        )}
        {RemoveField && (
          <RemoveField
            collection={collection}
            field={removed?.field ?? null}
            onClose={() => setRemoved(undefined)}
            onRemoved={removed?.onRemoved}
          />
        )}
      </>
    ),
  }
}
