import { outlined } from './draw-icon.tsx'

/** “codeblock” of Tabler. */
export const IconCodeblock = outlined(
  'M5 4l-2 2l2 2M12 4l2 2l-2 2M8 8l1 -4M17 6a2 2 0 0 1 2 2v10a2 2 0 0 1 -2 2h-10a2 2 0 0 1 -2 -2v-7',
)
