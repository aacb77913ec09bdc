import { outlined } from './draw-icon.tsx'

/** “terminal-2” of Tabler. */
export const IconTerminal2 = outlined(
  'M8 9l3 3l-3 3M13 15l3 0M3 6a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v12a2 2 0 0 1 -2 2h-14a2 2 0 0 1 -2 -2l0 -12',
)
