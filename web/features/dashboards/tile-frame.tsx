import { ActionIcon, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '#web/i18n/t.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import '../../views/chart/chart-view.css'

type TileFrameProps = {
  readonly name: string
  readonly title: ReactNode
  readonly caption?: string | undefined
  readonly menuItems: ReactNode
  readonly children: ReactNode
}

/** The frame of a tile that isn't a chart, which looks like that of a chart. */
export const TileFrame = ({ name, title, caption, menuItems, children }: TileFrameProps) => (
  <section className="chart-figure" aria-label={name}>
    <div className="chart-head">
      <div className="chart-title">
        {title}
        {caption !== undefined && <span className="chart-caption">{caption}</span>}
      </div>
      {menuItems && (
        <Menu position="bottom-end" width={220}>
          <Menu.Target>
            <ActionIcon aria-label={t('More actions for {name}', { name })}>
              <IconDots size={18} stroke={1.5} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>{menuItems}</Menu.Dropdown>
        </Menu>
      )}
    </div>
    {children}
  </section>
)
