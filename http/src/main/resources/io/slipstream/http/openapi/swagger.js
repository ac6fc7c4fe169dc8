'use strict';
// Shows /openapi.json in Swagger UI, which asks nobody else.
SwaggerUIBundle({url: '/openapi.json', dom_id: '#api', validatorUrl: null, tryItOutEnabled: true});
