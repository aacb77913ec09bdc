import { ActionIcon, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DashboardItemBody } from '#api/dashboards.ts'
import type { ViewBody } from '#api/views.ts'
import { pageQuery, totalQuery } from '#web/data/queries/record-list-queries.ts'
import { plural, t } from '#web/i18n/t.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { shownColumns } from '#web/ui/grid/columns/column-layout.ts'
import { IconDots } from '#web/ui/icons/frame.ts'
import { recordColumns } from '#web/views/grid/record-columns.tsx'
import type { ListSettings } from '#web/views/listing/list-settings.ts'
import '../../views/chart/chart-view.css'

type DashboardListProps = {
  readonly collection: TypedCollection
  readonly view: ViewBody
  readonly look: ListSettings
  readonly height: DashboardItemBody['height']
  readonly title: ReactNode
  readonly menuItems: ReactNode
}

const ROWS: { readonly [Height in DashboardItemBody['height']]: number } = { small: 4, medium: 8, large: 14 }

/** More columns would be too narrow. */
const MAX_COLUMNS = 4

/** The first records of a view, without editing. */
export function DashboardList({ collection, view, look, height, title, menuItems }: DashboardListProps) {
  const { filter, search, sort, group } = view.query
  // Groups stay together, as in the list.
  const order = [group, sort].filter((part) => part !== '').join(',')
  const { data, error, refetch } = useQuery(
    pageQuery(collection.name, { filter, search, sort: order }, { page: 1, perPage: ROWS[height] }),
  )
  const { data: count } = useQuery(totalQuery(collection.name, { filter, search }))
  const all = recordColumns(collection, undefined)
  const columns = shownColumns(all, look.layout)
    .ids.slice(0, MAX_COLUMNS)
    .flatMap((id) => all.find((column) => column.id === id) ?? [])
  // Keeps its place until the number is known.
  const caption = typeof count?.total === 'number' ? plural(count.total, '{n} record', '{n} records') : '\u00A0'
  return (
    <TileFrame name={view.name} title={title} caption={caption} menuItems={menuItems}>
      {error && !data && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <div className="chart-skeleton" role="status" aria-busy aria-label={t('Loading')} />}
      {data && data.items.length === 0 && <p className="dashboard-unavailable">{t('No records')}</p>}
      {data && data.items.length > 0 && (
        <div className="dashboard-list" role="region" aria-label={view.name} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map(({ id, header, align }) => (
                  <th key={id} scope="col" data-align={align}>
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.items.map((record, ordinal) => (
                <tr key={record.id}>
                  {columns.map((column) => (
                    <td key={column.id} data-align={column.align}>
                      {column.isTitle ? (
                        <Link
                          to="/collections/$collection/$record"
                          params={{ collection: collection.name, record: record.id }}
                        >
                          {recordTitle(collection, record)}
                        </Link>
                      ) : (
                        column.renderCell({ record, ordinal })
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </TileFrame>
  )
}

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
