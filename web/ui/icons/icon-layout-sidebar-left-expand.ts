import { outlined } from './draw-icon.tsx'

/** “layout-sidebar-left-expand” of Tabler. */
export const IconLayoutSidebarLeftExpand = outlined(
  'M4 6a2 2 0 0 1 2 -2h12a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-12a2 2 0 0 1 -2 -2l0 -12M9 4v16M14 10l2 2l-2 2',
)
