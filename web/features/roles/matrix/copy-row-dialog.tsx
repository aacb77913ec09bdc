import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { attributeNames } from '#domain/access/user.ts'
import { userAttributesQuery } from '#web/data/queries/workspace-queries.ts'
import { SaveFailure } from '#web/features/roles/save-failure.tsx'
import { listText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import { definitionOf } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { OptionSet } from '#web/ui/controls/option-set.tsx'
import { Dialog } from '#web/ui/dialogs/dialog.tsx'
import { FormActions } from '#web/ui/dialogs/form-actions.tsx'
import { describePlace, type Subject } from './matrix.ts'
import type { QuickSave } from './matrix-menus.tsx'
import { copiedRow } from './quick-edits.ts'

type CopyRowDialogProps = {
  readonly subject: Subject
  readonly from: TypedCollection
  readonly collections: readonly TypedCollection[]
  readonly quick: QuickSave
  readonly onClose: () => void
}

export function CopyRowDialog({ subject, from, collections, quick, onClose }: CopyRowDialogProps) {
  const { data: attributes } = useQuery(userAttributesQuery)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const others = collections.filter(({ id }) => id !== from.id)
  const to = others.filter(({ id }) => chosen.includes(id))
  const close = () => {
    quick.reset()
    onClose()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (to.length === 0 || !attributes || quick.isPending) return
    const collectionOf = (id: string) => {
      const found = collections.find((each) => each.id === id)
      return found && definitionOf(found)
    }
    const { left, ...edit } = copiedRow(
      subject,
      { from, to },
      { collectionOf, attributeNames: attributeNames(attributes) },
    )
    const labelOf = (id: string | null) => others.find((each) => each.id === id)?.label ?? ''
    const places = listText(left.map((place) => describePlace(place, labelOf(place.collection))))
    quick.save(edit, {
      role: subject.role,
      done: plural(to.length, 'Permissions copied to {n} collection', 'Permissions copied to {n} collections'),
      ...(left.length > 0 && {
        detail: t('Not copied because the target collection lacks fields or options: {places}', { places }),
      }),
      onDone: close,
    })
  }

  return (
    <Dialog opened onClose={close} title={t('Copy permissions of {label}', { label: from.label })} size={440}>
      <form onSubmit={submit} className="grant-form">
        <OptionSet legend={t('Copy to')}>
          {others.map(({ id, label }) => (
            <Checkbox
              key={id}
              label={label}
              checked={chosen.includes(id)}
              onChange={({ currentTarget }) =>
                setChosen(currentTarget.checked ? [...chosen, id] : chosen.filter((each) => each !== id))
              }
            />
          ))}
        </OptionSet>
        <p className="grant-hint">
          {t('Replaces the permissions of these collections. Fields and options are matched by name.')}
        </p>
        <SaveFailure error={quick.error} />
        <FormActions
          label={t('Copy')}
          isReady={to.length > 0 && attributes !== undefined}
          isBusy={quick.isPending}
          onCancel={close}
        />
      </form>
    </Dialog>
  )
}
