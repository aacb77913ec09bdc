import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { linkedCollection } from '#domain/fields/field.ts'
import { collectionsQuery } from '#web/data/queries/collections-query.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { type FieldDraft, fieldOfDraft } from './field-draft.ts'

type ShownThereProps = {
  readonly collection: TypedCollection
  readonly draft: FieldDraft
  readonly change: (part: Partial<FieldDraft>) => void
}

/** Whether a new relation also gets a field in the linked collection. */
export function ShownThere({ collection, draft, change }: ShownThereProps) {
  const target = useManagedTarget(collection, draft)
  if (!target) return null
  return (
    <WithHelp setting="field-shown-there" isDescribed>
      <Checkbox
        label={t('Also show the links in {label}', { label: target.label })}
        description={t('Adds a field there that lists these records')}
        checked={draft.isShownThere}
        onChange={({ currentTarget }) => change({ isShownThere: currentTarget.checked })}
      />
    </WithHelp>
  )
}

/** The linked collection of a relation, if the user can add a field to it. */
export function useManagedTarget(
  { id }: TypedCollection,
  draft: FieldDraft,
): { readonly id: string; readonly label: string } | undefined {
  const { data: collections = [] } = useQuery(collectionsQuery)
  if (draft.kind !== 'relation') return undefined
  const linked = linkedCollection(fieldOfDraft(draft))
  const target = collections.find((collection) => collection.id === linked)
  const isManaged = target?.id === id || target?.can.includes('collections:manage')
  return isManaged ? target : undefined
}
