import { outlined } from './draw-icon.tsx'

/** “map-question” of Tabler. */
export const IconMapQuestion = outlined(
  'M15 20l-6 -3l-6 3v-13l6 -3l6 3l6 -3v7.5M9 4v13M15 7v5.5M19 22v.01M19 19a2.003 2.003 0 0 0 .914 -3.782a1.98 1.98 0 0 0 -2.414 .483',
)
