import { SegmentedControl } from '@mantine/core'
import { useId } from 'react'
import { defaultDisplay, type ViewKind } from '#domain/views/view-kinds.ts'
import { t } from '#web/i18n/t.ts'
import { WithHelp } from '#web/shared/setting-help/with-help.tsx'
import type { ListSettingsProps } from '#web/views/listing/list-settings.ts'
import { VIEW_KIND_UI, ViewOptionsForm } from '#web/views/view-kinds.tsx'

const KINDS = Object.entries(VIEW_KIND_UI).map(([value, { label, icon: KindIcon }]) => ({
  value: value as ViewKind,
  label: (
    <span className="layout-kind">
      <KindIcon size={16} stroke={1.5} aria-hidden />
      {label}
    </span>
  ),
}))

/** The kind of view and its options. */
export function DisplaySettings({ collection, look, onLook }: ListSettingsProps) {
  const id = useId()
  return (
    <>
      <WithHelp setting="list-layout">
        <h2 id={id} className="columns-heading">
          {t('Show records as')}
        </h2>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-labelledby={id}
          data={KINDS}
          value={look.display.kind}
          onChange={(kind) => onLook({ display: defaultDisplay(kind) })}
        />
      </WithHelp>
      <ViewOptionsForm collection={collection} display={look.display} onChange={(display) => onLook({ display })} />
    </>
  )
}
