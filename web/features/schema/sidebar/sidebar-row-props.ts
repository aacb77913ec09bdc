import type { CollectionBody } from '#api/collections.ts'
import type { Reorder } from '#web/shared/reorder/use-reorder.ts'
import type { SidebarRow } from './sidebar-rows.ts'

export type SidebarDialog =
  | { readonly type: 'look'; readonly collection: string }
  | { readonly type: 'group'; readonly collection: string }
  | { readonly type: 'rename'; readonly group: string }

export type SidebarRowProps = {
  readonly reorder: Reorder<SidebarRow<CollectionBody>>
  readonly mayArrange: boolean
  /** By collection id; missing while unknown. */
  readonly counts: ReadonlyMap<string, number>
  readonly onAsk: (question: SidebarDialog) => void
}
