import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { COLLECTION_ICONS, type CollectionIcon as Sign } from '#domain/collections/collection-appearance.ts'
import { OPTION_COLORS, type OptionColor } from '#domain/fields/field.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { CollectionIcon } from '#web/shared/collection-icon/collection-icon.tsx'
import { COLLECTION_ICON_COMPONENTS } from '#web/shared/collection-icon/collection-icons.ts'
import { colorName } from '#web/shared/formatting/color-names.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notify } from '#web/ui/toast/notify.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import { t } from '#web/i18n/t.ts'
import { useChangeCollection } from './collection-queries.ts'
import './appearance-form.css'

type AppearanceFormProps = {
  readonly collection: Pick<TypedCollection, 'name' | 'label' | 'icon' | 'color'>
  readonly onDone?: () => void
}

export function AppearanceForm({ collection, onDone }: AppearanceFormProps) {
  const [icon, setIcon] = useState<Sign>(collection.icon ?? 'folder')
  const [color, setColor] = useState<OptionColor | null>(collection.color ?? null)
  const { mutate, isPending, error } = useChangeCollection(collection.name)
  const isChanged = icon !== (collection.icon ?? 'folder') || color !== (collection.color ?? null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isChanged || isPending) return onDone?.()
    mutate(
      { icon: icon === 'folder' ? null : icon, color },
      {
        onSuccess: () => {
          notify.success(t('Icon and color of {label} saved', { label: collection.label }))
          onDone?.()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} className="look-form">
      <p className="look-form-shown">
        <CollectionIcon look={{ icon, ...(color && { color }) }} size={22} />
        {collection.label}
      </p>
      <WithHelp setting="collection-look">
        <IconPicker chosen={icon} color={color} onChoose={setIcon} />
      </WithHelp>
      <WithHelp setting="collection-look">
        <ColorPicker chosen={color} onChoose={setColor} />
      </WithHelp>
      <FailureNotice error={error} />
      <div className={onDone && 'dialog-actions'}>
        {onDone && <Button onClick={onDone}>{t('Cancel')}</Button>}
        <Button type="submit" variant="filled" disabled={!isChanged} loading={isPending}>
          {t('Save')}
        </Button>
      </div>
    </form>
  )
}

type IconPickerProps = {
  readonly chosen: Sign
  readonly color: OptionColor | null
  readonly onChoose: (sign: Sign) => void
}

function IconPicker({ chosen, color, onChoose }: IconPickerProps) {
  return (
    <fieldset className="look-choice">
      <legend>{t('Icon')}</legend>
      <div style={color ? { color: `var(--choice-${color}-dot)` } : undefined}>
        {COLLECTION_ICONS.map((sign) => {
          const { Icon, label } = COLLECTION_ICON_COMPONENTS[sign]
          return (
            <label key={sign} className="look-option" title={label} data-chosen={sign === chosen || undefined}>
              <input
                type="radio"
                name="sign"
                aria-label={label}
                checked={sign === chosen}
                onChange={() => onChoose(sign)}
              />
              <Icon size={20} stroke={1.5} aria-hidden />
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

type ColorPickerProps = {
  readonly chosen: OptionColor | null
  readonly onChoose: (color: OptionColor | null) => void
}

function ColorPicker({ chosen, onChoose }: ColorPickerProps) {
  return (
    <fieldset className="look-choice">
      <legend>{t('Color')}</legend>
      <div>
        {[null, ...OPTION_COLORS].map((color) => {
          const label = color ? colorName(color) : t('No color')
          return (
            <label key={label} className="look-option" title={label} data-chosen={color === chosen || undefined}>
              <input
                type="radio"
                name="color"
                aria-label={label}
                checked={color === chosen}
                onChange={() => onChoose(color)}
              />
              <span
                className="look-dot"
                data-none={color === null || undefined}
                style={color ? { background: `var(--choice-${color}-dot)` } : undefined}
              />
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
