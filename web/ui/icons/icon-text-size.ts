import { outlined } from './draw-icon.tsx'

/** “text-size” of Tabler. */
export const IconTextSize = outlined('M3 7v-2h13v2M10 5v14M12 19h-4M15 13v-1h6v1M18 12v7M17 19h2')
