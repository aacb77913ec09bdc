import { Button, Drawer } from '@mantine/core'
import { useState } from 'react'
import { plural, t } from '#web/i18n/t.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { type LazyComponent, lazyComponent } from '#web/ui/loading/lazy-module.tsx'
import type { LayoutEditorProps } from './layout-editor.tsx'
import '#web/features/schema/schema.css'

const LayoutEditor: LazyComponent<LayoutEditorProps> = lazyComponent(
  () => import('./layout-editor.tsx'),
  'LayoutEditor',
)

/** How the fields of a record are arranged, and the button to change it. */
export function LayoutSection({ collection }: { readonly collection: TypedCollection }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <section className="settings-section" aria-labelledby="layout-title">
      <div className="settings-head">
        <h2 id="layout-title">{t('Record layout')}</h2>
        <Button size="xs" onClick={() => setIsOpen(true)}>
          {t('Edit layout')}
        </Button>
      </div>
      <p className="dialog-hint">{describeLayout(collection)}</p>
      <Drawer opened={isOpen} onClose={close} title={t('Record layout')} size={1120}>
        {isOpen && <LayoutEditor collection={collection} onClose={close} />}
      </Drawer>
    </section>
  )
}

function describeLayout({ layout }: TypedCollection): string {
  if (!layout) return t('Records show their fields in the order above, with long texts and files last.')
  const titles = layout.sections.flatMap(({ title }) => title || [])
  const count = plural(layout.sections.length, '{n} section', '{n} sections')
  return titles.length === 0 ? count : t('{count}: {titles}', { count, titles: titles.join(' · ') })
}
