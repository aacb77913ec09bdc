import { Menu } from '@mantine/core'
import type { PolicyBody, RoleBody } from '#api/roles.ts'
import { supportsPart } from '#domain/access/permission.ts'
import { draftOf, type GrantDraft } from '#web/features/roles/grants/grant-draft.ts'
import { isChosen, recordScopes, type ScopePart } from '#web/features/roles/grants/record-scopes.ts'
import { useSaveGrants } from '#web/features/roles/grants/use-save-grants.ts'
import { t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { MenuItem } from '#web/ui/popup/menu-item.tsx'
import { IconCheck, IconEyeOff } from '#web/ui/icons/general.ts'
import { IconCopy, IconPencil } from '#web/ui/icons/later.ts'
import { describePlace, type GrantPlace, sourcesAt, sourcesOf, type Subject } from './matrix.ts'
import { cellEdit, type QuickEdit, rowEdit, rowPresets } from './quick-edits.ts'

type SaveOptions = {
  readonly role: RoleBody | undefined
  readonly done: string
  readonly detail?: string
  readonly onDone?: () => void
}

/** Saves menu selections one after another. */
export function useQuickSave(policies: readonly PolicyBody[]) {
  const { save, isPending, error, reset } = useSaveGrants(policies)
  return {
    isPending,
    error,
    reset,
    save: (edit: QuickEdit, { onDone, ...more }: SaveOptions) =>
      save({ ...edit, ...more, isAlone: false }, { ...(onDone && { onSuccess: onDone }) }),
  }
}

export type QuickSave = ReturnType<typeof useQuickSave>

type CellMenuProps = {
  readonly subject: Subject
  readonly place: GrantPlace
  readonly collection: TypedCollection
  readonly quick: QuickSave
  /** Opens the grant form, prefilled with the selection, when more input is needed. */
  readonly onForm: (initial?: Partial<GrantDraft>) => void
}

export function CellMenu({ subject, place, collection, quick, onForm }: CellMenuProps) {
  const sources = sourcesAt(sourcesOf(subject.policies), place.permission, place.collection)
  const current = sources.length > 1 ? undefined : draftOf(sources[0]?.grant, collection)
  const choose = (part: ScopePart) => {
    const edit = cellEdit(subject, place, { part, collection })
    if (!edit) return onForm(part)
    const done = t('Saved: {placeWords}', { placeWords: describePlace(place, collection.label) })
    return quick.save(edit, { role: subject.role, done })
  }
  return (
    <>
      {recordScopes(place.permission, collection)
        .filter(({ part }) => part.records !== 'some')
        .map(({ value, label, part }) => {
          const isCurrent = current !== undefined && isChosen(part, current)
          return (
            <Menu.Item
              key={value}
              aria-current={isCurrent}
              disabled={quick.isPending}
              rightSection={isCurrent && <IconCheck size={14} stroke={1.75} aria-hidden />}
              onClick={() => !isCurrent && choose(part)}
            >
              {label}
            </Menu.Item>
          )
        })}
      <Menu.Divider />
      {collection.id !== '' && supportsPart(place.permission, 'fields') && (
        <MenuItem icon={IconEyeOff} label={t('Exclude fields')} onClick={() => onForm({ fieldChoice: 'except' })} />
      )}
      <MenuItem icon={IconPencil} label={t('Edit details')} onClick={() => onForm()} />
    </>
  )
}

type RowMenuProps = {
  readonly subject: Subject
  readonly collection: TypedCollection
  readonly quick: QuickSave
  /** Undefined on the “All collections” row, because other rows inherit its permissions. */
  readonly onCopy: (() => void) | undefined
}

export function RowMenu({ subject, collection, quick, onCopy }: RowMenuProps) {
  const presets = rowPresets(collection).map((preset) => ({ ...preset, edit: rowEdit(subject, collection, preset) }))
  const done = t('Saved: {placeWords}', { placeWords: collection.label })
  return (
    <>
      {presets.map(({ label, edit }) => (
        <Menu.Item
          key={label}
          disabled={quick.isPending || edit === undefined}
          onClick={() => edit && quick.save(edit, { role: subject.role, done })}
        >
          {label}
        </Menu.Item>
      ))}
      {presets.some(({ edit }) => edit === undefined) && (
        <Menu.Label>
          {t(
            'Some options are unavailable because inherited or shared permissions grant more. Edit individual cells instead.',
          )}
        </Menu.Label>
      )}
      {onCopy && (
        <>
          <Menu.Divider />
          <MenuItem icon={IconCopy} label={t('Copy to other collections')} onClick={onCopy} />
        </>
      )}
    </>
  )
}
