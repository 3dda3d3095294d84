/** The areas of the product. What an area has in a layer stands there in a folder or file of this name. */
export const areas = [
  'submissions',
  'jobs',
  'report',
  'discussions',
  'intel',
  'tags',
  'alerts',
  'feeds',
  'ai',
  'rules',
  'cases',
  'auth',
  'admin',
  'system',
] as const;
